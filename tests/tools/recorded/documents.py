"""Small SDF, URDF and MJCF documents, the same in each run: sound ones, ones with wrong numbers, and broken ones."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from builders.mjcf import ARM_AND_HAND, CORNERS, bracket
from random_models import PART, Documents, write_meshes
from random_robots import Robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# What makes a document a broken one: one text in place of another.
BREAKS = {
    "sdf": """<size> <size>-|<radius> <radius>0,|<size>0 <size>1e400|<mass> <mass>nan|<mass> <mass>-|<mass> <mass>kg
        <link\tname= <link\tnmae=|</link> <link>|<density> <density>-
        <density>300</density> <desnity>300</desnity>|<pose> <pose>1\t|<ixx> <ixx>1e-400
        <pose> <pose\trelative_to="nowhere">|<pose> <pose\trotation_format="matrix">|<iyy> <iyy>x|<izz> <!--\t-->
        <link\t <static>yes!</static><link\t|<link\t <static>true</static><link\t|<geometry> <geometry><cone/>
        <box> <mesh><uri>lost.stl</uri></mesh><box>|<box><size> <mesh><uri>lost.stl</uri></mesh><box><size>""",
    "urdf": """size=" size="-|radius=" radius="0,|size="0 size="0x1p1|value=" value="-|value=" value="nan|value= val=
        <mass\t <mass\tvalue="1"/><mass\t|xyz=" xyz="1\t|rpy=" rpy="inf|ixx=" ixx="x|izz= izzz=|name="l1 name="l0
        parent\tlink=" parent\tlink="lost|</link> <link>|auto auto\tdensity=-3|auto auto\tdensty=3
        <robot\t <robot\tversion="3"\t
        <box\t <mesh\tfilename="package://lost/lost.stl"/><box\t|<link\t <link\tname="x"><visual/></link><link\t""",
    "xml": """size=" size="-|mass=" mass="-|mass=" mass="x|class="big class="lost|fromto=" fromto="0\t|</body> <body>
        density=" density="-|quat=" quat="0|fullinertia=" diaginertia="1\t1\t1"\tfullinertia="
        mesh="e mesh="lost|type="box type="sdf
        <geom\t <include\tfile="lost.xml"/><geom\t
        <body\t <replicate\tcount="2"><geom\tsize="1"/></replicate><body\t""",
}
MISTAKES: dict[str, Callable[[list[float]], list[float]]] = {
    "unit": lambda e: [1.0, 0.0, 0.0, 1.0, 0.0, 1.0],
    "zero": lambda e: [0.0] * 6,
    "unit of mass": lambda e: [1000 * x for x in e],
    "unit of length": lambda e: [1e6 * x for x in e],
    "negative": lambda e: [*e[:3], -e[3], *e[4:]],
    "axes": lambda e: [*e[3:], *e[:3]],
    "triangle": lambda e: [10 * e[0], *e[1:]],
    "slots": lambda e: [*e[:4], e[5], e[4]],
    "signs": lambda e: [e[0], -0.3 * e[3], 0.2 * e[5], *e[3:]],
    "none": lambda e: e,
}
ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
SDF = '<sdf version="1.11"><model name="m">{}</model></sdf>\n'
ROBOT = '<robot name="r"><link name="base"/>{}</robot>\n'
BALL = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'


def write_documents(folder: Path) -> None:
    """All of them, with the meshes that they name."""
    folder.mkdir()
    meshes = write_meshes(folder, seed=7)
    lines = meshes[0].read_text().splitlines()
    (folder / "open.obj").write_text("\n".join(lines[:-6]) + "\n")
    (folder / "part.sdf").write_text(PART)
    sdf, urdf = Documents(meshes, folder / "part.sdf"), Robots(meshes)
    texts = {
        f"random{seed:03}.sdf": sdf.document(seed).replace(f"file://{folder.as_posix()}/", "") for seed in range(75)
    }
    texts |= {f"random{seed:03}.urdf": urdf.document(seed) for seed in range(45)}
    for kind, written in {"sdf": _sdf, "urdf": _urdf, "xml": _mjcf}.items():
        sound = {f"written{seed:03}.{kind}": written(random.Random(seed)) for seed in range(40)}
        texts |= sound
        for number, change in enumerate(
            change.strip(" ") for line in BREAKS[kind].split("\n") for change in line.split("|")
        ):
            old, new = (part.replace("\t", " ") for part in change.split(" "))
            text = next(text for text in [*sound.values()][number:] if old in text)
            texts[f"broken{number:03}.{kind}"] = text.replace(old, new, 1)
    for name, text in (texts | dict(_special())).items():
        (folder / name).write_text(text)


def _numbers(rng: random.Random, count: int, most: float) -> str:
    return " ".join(f"{rng.uniform(-most, most):.4g}" for _ in range(count))


def _inertial(rng: random.Random) -> tuple[str, list[str]]:
    """A mass and a tensor: of a box of 0.2, 0.4 and 0.6 m, or with a mistake."""
    mass = rng.choice([48.0, 0.48, 1.0, rng.uniform(0.01, 30)])
    xy = rng.choice([0.0, 0.0, mass / 1000])
    box = [0.52 * mass / 12, xy, -xy / 2, 0.4 * mass / 12, xy / 3, 0.2 * mass / 12]
    entries = MISTAKES[rng.choice([*MISTAKES, "none", "none", "none"])](box)
    return f"{mass:.6g}", [f"{entry:.6g}" for entry in entries]


def _sdf(rng: random.Random) -> str:
    links = []
    for number in range(rng.randint(1, 5)):
        mass, tensor = _inertial(rng)
        entries = "".join(f"<{name}>{text}</{name}>" for name, text in zip(ENTRIES, tensor, strict=True))
        ask = rng.choice(["", "", "", ' auto="true"'])
        wish = rng.choice(["<method>convex_hull</method>", "<overlaps>union</overlaps>"])
        wish = f"<auto_inertia_params>{wish}</auto_inertia_params>" if ask and rng.random() < 0.5 else ""
        centre = rng.choice(["", f"<pose>{_numbers(rng, 3, 0.1)} 0 0 0.5</pose>"])
        inertial = f"<inertial{ask}>\n  {centre}<mass>{mass}</mass>{wish}<inertia>{entries}</inertia></inertial>"
        tag, density = rng.choice(["collision", "collision", "visual"]), rng.choice(["", "<density>300</density>"])
        shapes = ["<box><size>0.2 0.4 0.6</size></box>", "<sphere><radius>0.25</radius></sphere>"][: rng.randint(1, 2)]
        solids = "".join(
            f'<{tag} name="c{n}"><pose>{_numbers(rng, 6, 0.1 * n)}</pose>{density}<geometry>{shape}</geometry></{tag}>'
            for n, shape in enumerate(shapes)
        )
        links.append(f'<link name="l{number}">{rng.choice([inertial, inertial, ""])}{solids}</link>\n')
        if number:
            ends = f"<parent>l0</parent><child>l{number}</child><axis><xyz>0 0 1</xyz></axis>"
            links.append(f'<joint name="j{number}" type="{rng.choice(["fixed", "revolute"])}">{ends}</joint>\n')
    return SDF.format("".join(links))


def _urdf(rng: random.Random) -> str:
    links = []
    for number in range(rng.randint(1, 6)):
        mass, tensor = _inertial(rng)
        entries = " ".join(f'{name}="{text}"' for name, text in zip(ENTRIES, tensor, strict=True))
        here, there = (f'<origin xyz="{_numbers(rng, 3, 0.1)}" rpy="{_numbers(rng, 3, n)}"/>' for n in (0, 2))
        inertial = f'<inertial>{rng.choice(["", here])}<mass value="{mass}"/>\n<inertia {entries}/></inertial>'
        inertial = rng.choice([inertial, inertial, inertial, "", "<!-- sdfinertia: auto density=700 -->"])
        tag, shape = rng.choice(["collision", "visual"]), rng.choice(['box size="0.2 0.4 0.6"', 'sphere radius="0.3"'])
        solid = f"<{tag}>{rng.choice(['', there])}<geometry><{shape}/></geometry></{tag}>"
        kind, parent = rng.choice(["fixed", "fixed", "revolute"]), rng.choice(["base", f"l{max(number - 1, 0)}"])
        links.append(
            f'<link name="l{number}">{inertial}{solid}</link>\n'
            f'<joint name="j{number}" type="{kind}">{there}<axis xyz="0 0 1"/>'
            f'<parent link="{parent if number else "base"}"/><child link="l{number}"/></joint>\n'
        )
    return ROBOT.format("".join(links))


def _turn(rng: random.Random) -> str:
    name, count = rng.choice([("quat", 4), ("axisangle", 4), ("xyaxes", 6), ("zaxis", 3), ("euler", 3)])
    return rng.choice(["", f' {name}="{_numbers(rng, count, 2)}"'])


def _geom(rng: random.Random) -> str:
    more = rng.choice(["", ' density="300"', ' mass="2"', ' mass="0"', ' group="4"', ' shellinertia="true"'])
    place = rng.choice(["", f' pos="{_numbers(rng, 3, 1)}"{_turn(rng)}'])
    shapes = [f'type="{kind}" size="0.2 0.3 0.5"{more}{place}' for kind in ("sphere", "capsule", "ellipsoid", "box")]
    shapes += [f'class="{name}"{more}{place}' for name in ("big", "heavy")]
    shapes += [f'type="mesh" mesh="{name}"{place}' for name in ("box", "exact", "legacy", "convex")]
    shapes += [f'type="{kind}" size="0.1" fromto="{_numbers(rng, 6, 1)}"{more}' for kind in ("capsule", "cylinder")]
    return f"<geom {rng.choice(shapes)}/>"


def _mjcf(rng: random.Random) -> str:
    settings = rng.choice(["", "", 'inertiagrouprange="0 3"', 'inertiafromgeom="true"', 'boundinertia="0.01"'])
    settings += f' angle="{rng.choice(["degree", "radian"])}" eulerseq="{rng.choice(["xyz", "XYZ", "zyx", "yXz"])}"'
    meshes = "".join(bracket(kind).replace('name="m"', f'name="{kind}"') for kind in ("legacy", "exact", "convex"))
    bodies = ""
    for number in range(rng.randint(1, 4)):
        mass, (xx, xy, xz, yy, yz, zz) = _inertial(rng)
        tensors = [f'diaginertia="{xx} {yy} {zz}"{_turn(rng)}', f'fullinertia="{xx} {yy} {zz} {xy} {xz} {yz}"']
        inertial = f'<inertial pos="{_numbers(rng, 3, 0.2)}" mass="{mass}" {rng.choice(tensors)}/>'
        inertial = rng.choice([inertial, inertial, "", "<!-- sdfinertia: auto density=500 -->"])
        geoms = "".join(_geom(rng) for _ in range(rng.randint(1, 3)))
        geoms = rng.choice([geoms, geoms, f'<frame pos="{_numbers(rng, 3, 1)}"{_turn(rng)}>{geoms}</frame>'])
        child = rng.choice(["", ' childclass="heavy"'])
        start = f'<body name="b{number}"{child}{_turn(rng)}><joint/>'
        bodies = f"{start}{inertial}{geoms}\n" + rng.choice([f"{bodies}</body>", f"</body>{bodies}"])
    return (
        f'<mujoco model="m"><compiler {settings}/><default><geom density="700"/><default class="big"><geom type="box" '
        'size="0.3 0.4 0.5"/><default class="heavy"><geom density="5000" euler="10 20 30"/></default></default>'
        f'</default>\n{meshes}<asset><mesh name="box" vertex="{CORNERS}"/></asset>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def _special() -> Iterator[tuple[str, str]]:
    """Chains, includes that are placed or merged, what options are for, a world, line ends, meshes of MuJoCo."""

    def solid(shape: str = "<box><size>0.2 0.4 0.6</size></box>", place: str = "", name: str = "c") -> str:
        return f'<collision name="{name}">{place}<geometry>{shape}</geometry></collision>'

    ask = '<inertial auto="true"><density>700</density></inertial>'
    near, far = ask + solid() + "</link>", ask + solid(place='<pose relative_to="n7"/>') + "</link>"
    step = '<pose relative_to="{}" degrees="true">0.01 0.02 0 1 2 3</pose>'
    for kind in ("frame", "link"):
        chain = "".join(f'<{kind} name="n{n}">{step.format(f"n{n - 1}") if n else ""}</{kind}>' for n in range(300))
        yield f"chain_of_{kind}s.sdf", SDF.format(f'{chain}<link name="l"><pose relative_to="n299"/>{far}')
    chain = "".join(
        f'<link name="l{n}"><!-- sdfinertia: auto -->{BALL}</link><joint name="j{n}" type="fixed">'
        f'<parent link="{f"l{n - 1}" if n else "base"}"/><child link="l{n}"/></joint>'
        for n in range(60)
    )
    yield "chain_of_links.urdf", ROBOT.format(chain)
    placed = "<name>n7</name><placement_frame>mount</placement_frame>"
    for name, inside in {
        "placed": f"<include><uri>part.sdf</uri>{placed}<pose>1 2 3 0.1 0.2 0.3</pose></include>",
        "placed_nowhere": f"<include><uri>part.sdf</uri>{placed}</include>",
        "merged": '<include merge="true"><uri>part.sdf</uri></include><frame name="n7" attached_to="mount"/>',
        "lost": "<include><uri>lost.sdf</uri><name>n7</name></include>",
    }.items():
        yield f"include_{name}.sdf", SDF.format(f'{inside}<link name="k">{near}<link name="l">{far}')
    for name, inside in {
        "open": solid("<mesh><uri>open.obj</uri></mesh>"),
        "large": solid("<mesh><uri>prism4.obj</uri><scale>1000 1000 1000</scale></mesh>"),
        "seen": solid("<sphere><radius>0.1</radius></sphere>").replace("collision", "visual"),
        "flat": solid("<plane/>") + solid(name="d"),
        "overlapping": solid() + solid("<sphere><radius>0.3</radius></sphere>", name="d"),
    }.items():
        yield f"options_{name}.sdf", SDF.format(f'<link name="k">{ask}{inside}</link><link name="l">{near}')
    meshes = (
        '<mesh filename="open.obj"/>',
        '<mesh filename="prism4.obj" scale="1000 1000 1000"/>',
        '<box size="1 2 3"/>',
    )
    solids = "".join(
        f'<link name="l{n}"><!-- sdfinertia: auto --><visual><geometry>{mesh}</geometry></visual>'
        f"{f'<collision><geometry>{mesh}</geometry></collision>' if n < 2 else ''}</link>"
        for n, mesh in enumerate(meshes)
    )
    yield "options.urdf", '<robot name="r">' + solids + "</robot>\n"
    yield "lines.sdf", SDF.format(f'\r\n<link name="l">\r\n\t\t{near}\r\n')
    world = SDF.replace("<model", '<world name="w"><model').replace("</sdf", "</world></sdf")
    yield "world.sdf", world.format(f'<link name="l">{near}')
    yield "arm_and_hand.xml", ARM_AND_HAND
    for kind in ("legacy", "exact", "convex", "shell"):
        body = '<body name="b"><freejoint/><geom type="mesh" mesh="m"/></body>'
        yield f"bracket_{kind}.xml", f"<mujoco>{bracket(kind)}<worldbody>{body}</worldbody></mujoco>\n"
    part = '<body name="i"><!-- sdfinertia: auto --><geom size="0.1"/></body>'
    yield "included.xml", f"<mujocoinclude>{part}</mujocoinclude>\n"
    whole = '<body name="o"><joint/><geom size="1"/><include file="included.xml"/></body>'
    yield "including.xml", f"<mujoco><worldbody>{whole}</worldbody></mujoco>\n"
