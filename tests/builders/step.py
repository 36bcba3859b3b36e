"""A STEP file (ISO 10303-21, application protocol 214) of one cylinder, with its base on the origin."""

_CYLINDER = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('cylinder','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));
ENDSEC;
DATA;
#1=APPLICATION_CONTEXT('mechanical design');
#2=PRODUCT_CONTEXT('',#1,'mechanical');
#3=PRODUCT('pin','pin','',(#2));
#4=PRODUCT_DEFINITION_FORMATION('','',#3);
#5=PRODUCT_DEFINITION_CONTEXT('part definition',#1,'design');
#6=PRODUCT_DEFINITION('design','',#4,#5);
#7=PRODUCT_DEFINITION_SHAPE('','',#6);
#8=SHAPE_DEFINITION_REPRESENTATION(#7,#9);
#9=ADVANCED_BREP_SHAPE_REPRESENTATION('',(#10,#30),#20);
#10=AXIS2_PLACEMENT_3D('',#11,#12,#13);
#11=CARTESIAN_POINT('',(0.,0.,0.));
#12=DIRECTION('',(0.,0.,1.));
#13=DIRECTION('',(1.,0.,0.));
#20=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#24))GLOBAL_UNIT_ASSIGNED_CONTEXT((#21,#22,#23))REPRESENTATION_CONTEXT('',''));
#21=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(@UNIT@,.METRE.));
#22=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));
#23=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());
#24=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),#21,'distance_accuracy_value','');
#30=MANIFOLD_SOLID_BREP('pin',#31);
#31=CLOSED_SHELL('',(#40,#60,#80));
#40=ADVANCED_FACE('',(#41),#50,.T.);
#41=FACE_BOUND('',#42,.T.);
#42=EDGE_LOOP('',(#43,#44,#45,#46));
#43=ORIENTED_EDGE('',*,*,#90,.T.);
#44=ORIENTED_EDGE('',*,*,#94,.T.);
#45=ORIENTED_EDGE('',*,*,#92,.F.);
#46=ORIENTED_EDGE('',*,*,#94,.F.);
#50=CYLINDRICAL_SURFACE('',#51,@R@);
#51=AXIS2_PLACEMENT_3D('',#11,#12,#13);
#60=ADVANCED_FACE('',(#61),#64,.F.);
#61=FACE_BOUND('',#62,.F.);
#62=EDGE_LOOP('',(#63));
#63=ORIENTED_EDGE('',*,*,#90,.T.);
#64=PLANE('',#65);
#65=AXIS2_PLACEMENT_3D('',#11,#12,#13);
#80=ADVANCED_FACE('',(#81),#84,.T.);
#81=FACE_BOUND('',#82,.T.);
#82=EDGE_LOOP('',(#83));
#83=ORIENTED_EDGE('',*,*,#92,.T.);
#84=PLANE('',#85);
#85=AXIS2_PLACEMENT_3D('',#86,#12,#13);
#86=CARTESIAN_POINT('',(0.,0.,@L@));
#90=EDGE_CURVE('',#100,#100,#91,.T.);
#91=CIRCLE('',#51,@R@);
#92=EDGE_CURVE('',#102,#102,#93,.T.);
#93=CIRCLE('',#85,@R@);
#94=EDGE_CURVE('',#100,#102,#95,.T.);
#95=LINE('',#101,#96);
#96=VECTOR('',#12,1.);
#100=VERTEX_POINT('',#101);
#101=CARTESIAN_POINT('',(@R@,0.,0.));
#102=VERTEX_POINT('',#103);
#103=CARTESIAN_POINT('',(@R@,0.,@L@));
ENDSEC;
END-ISO-10303-21;
"""


def step_cylinder(radius: float, length: float, unit: str = ".MILLI.") -> bytes:
    """The file; radius and length in its unit, which is that prefix of the metre, or "$" for none."""
    values = {"@UNIT@": unit, "@R@": repr(float(radius)), "@L@": repr(float(length))}
    text = _CYLINDER
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text.encode("ascii")
