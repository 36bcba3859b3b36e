"""The weights of the score, in natural logarithms, each with its reason: this is the one place where they stand."""

from __future__ import annotations

from sdfinertia.named_tuple import NamedTuple


class DigitWeights(NamedTuple):
    """What digits say."""

    power_of_prefix: float = 0.0  # ten and prefixes (m, µ) explain nine in ten of the powers seen
    other_power: float = -2.5  # no prefix and no slip of one place
    leading_zeros: float = 8.0  # nobody writes 00002166 for a whole number
    fixed_places: float = 4.0  # as many places after the point as all others, only so
    fixed_others: int = 3
    same_digits: float = 3.0  # those of another moment, so that only the point of one of them makes them differ
    telling: int = 3  # significant digits from which this is no chance
    point_missing: float = 2.5  # the one entry without a point beside others that have one
    signs_too: float = 0.6  # how much nearer an exact mesh is to be with the signs of products turned
    insignificant: float = 0.02  # of the largest moment: what cannot be told to belong to a run
    no_exponent: float = -1.5  # a run is of one exponent, and here none is written
    exponents: float = 5.0  # all entries of a run carry E-3 where all others carry E-6


class OrderWeights(NamedTuple):
    """What slots say."""

    digit: float = 2.3  # each digit but the first
    repeated: float = 7.0  # |iyy| is |ixy| to the last digit
    negative: float = 3.0  # a moment below zero is a product
    of_a_product: float = 0.2  # part of the least moment above which a number in a moment's slot is no product


class LostWeights(NamedTuple):
    """What a lost entry costs and shows."""

    free_entry: float = -1.0  # a number that is chosen to fit shows less by fitting
    from_geometry: float = -4.0  # and one that was taken from the geometry is no nearer to it for being right
    absent: float = 12.0  # the entry is not there
    written_default: float = 2.0  # an exact 1 beside moments far smaller
    beside_a_default: float = 0.2  # how small these must be (kg·m²)


class LeverWeights(NamedTuple):
    """What a parallel-axis term shows."""

    coincidence: float = 3.0  # a product that vanishes, or two moments that become equal, to a thousandth
    most: float = 5.0  # coincidences that count
    earlier_centre: float = 4.0  # two coordinates out of products that are today's to a thousandth
    exact: float = 1e-3  # of the largest moment: how near that is
    was_there: float = 0.01  # of the largest moment: what a product was that vanished
    rounding_of_term: float = 0.1  # part of the term added that counts for how near
    same_coordinate: float = 1e-3  # how near a coordinate is to be the same
    other_mass: float = -0.5  # a mass that is not today's is a free number
    signs: float = -1.5  # and signs that were mistaken too
    near_origin: float = 0.06  # of the largest moment, how near a tensor is to the geometry's about the origin
    without_centre: float = 4.0  # that it is, where the centre was left out
    decisive: float = 6.0  # two coincidences beyond what was fitted


class AxesWeights(NamedTuple):
    """What axes show."""

    same: float = 1e-3  # of the largest entry: tensors that differ by less are one
    free_rotation: float = -4.0  # three angles that are chosen to fit
    principal: float = 1.5  # principal moments have no products
    degrees: float = 4.0  # nobody gives an angle beyond a full turn in radians


class ScaleWeights(NamedTuple):
    """What scale shows."""

    of_sibling: float = 9.0  # the same six beside another mass in another version
    proportional: float = 0.004  # of the largest entry: how near a tensor is to be proportional
    telling: float = 1.2  # ratio of the moments from which a tensor has a shape of its own
    shape: float = 1.5  # a shape of its own, within that
    exact_shape: float = 1.5  # within 0.3 %
    no_shape: float = -3.0  # a ball
    usual_change: float = 100.0  # factor that a mass is changed by at most
    beyond_usual: float = -2.0  # for each e-fold more
    is_unit: float = -4.0  # the factor is that of a unit
    same_factor: float = 1e-3  # part within which it is, if the digits tell as much
    centre_of_geometry: float = 2.0  # a centre that comes to that of the geometry, or leaves it
    default_mass: float = -3.0  # 1 kg is what stands where nobody has given a mass
    density: float = 0.01  # how near a density is to a default
    defaults: tuple[float, ...] = (1.0, 1000.0, 2700.0, 7800.0, 7850.0, 8000.0)  # of CAD programs and libsdformat
    exact_density: float = 1e-4  # what digits and faces leave of it
    default_density: float = 5.0  # one of six densities to a hundredth
    near_centre: float = 0.1  # part of the diagonal that a centre in the right unit is from that of the geometry
    far_centre: float = -6.0
    no_centre: float = -3.0  # a centre of 0 0 0 shows no unit of length
    near: float = 1.1  # |ln λ| for the mesh a thousandth as large
    millimetres: float = 3.0  # within a factor of 3 where a million is off


class CopyWeights(NamedTuple):
    """What copies show."""

    of_size: frozenset[str] = frozenset({"SDI202", "SDI205", "SDI207"})  # rules that say so themselves
    contradicted: float = 1.0  # |ln λ| against the geometry from which a block cannot be the link's own
    digits: int = 6  # significant digits in all from which numbers are a fingerprint
    equal: float = 1e-9  # of the largest entry
    copied: float = 6.0  # six numbers to the last digit
    unproved: float = -2.0  # the other link is as far from its own geometry
    other_mass: float = -1.0  # and the mass changed
    original: float = 2.0  # the other link is near its own geometry, or has a centre where this one has none
    printed: float = 1e-4  # of the largest moment: editors print some six digits
    other_size: float = 0.5  # |ln λ| from which a link has another size than the unit shape
    unit_shape: float = 11.0  # three numbers and a mass of no other origin
    near_own: float = 1.0  # a twin near its own geometry
    alike: float = 0.05  # part by which entries of twins differ at most
    agreeing: float = 1.0  # each entry that agrees
    differing: float = -2.0  # each that does not


class EmptyWeights(NamedTuple):
    """What shows that a tensor was never filled in."""

    gyradius: float = 0.66  # of real links, over the edge of a cube of 1000 kg/m³
    nothing: float = 3e-7  # part of the moment that a link has: below it there is none
    noise: float = 1e-9  # kg·m²: what somebody wrote who had a number in mind
    zero: float = 1e-16  # of the largest entry: what a computation leaves of none
    same: float = 1e-3  # part by which a moment differs from another at most to be the same
    zeros: float = 9.0  # nothing else leaves zeros
    six_decimals: float = 2e-6  # kg·m²: mean moment below which six decimals may leave zeros
    zero_moment: float = 4.0
    misplaced: float = 0.02  # part of the largest entry that a product beside a zero moment is
    of_other_slot: float = 8.0
    exporters_step: float = 1e-3  # kg·m²: programs round to three decimals or more
    least_step: float = 0.2  # of the moment that a link has, of a step that rounds it away
    most_step: float = 8.0
    doubt: float = 10.0  # by which the size of a link may be wrong that is guessed
    fine_step: float = 1e-5  # kg·m²: that a program rounds to, and nobody makes up
    short: int = 2  # significant digits of a number that was made up
    short_numbers: float = 3.0
    contradicted: float = 0.6  # |ln λ| against the geometry
    unit: float = 12.0
    power_of_ten: float = 9.0
    one_number: float = 3.0
    of_each: float = 1.2  # of ln of the links that share a number
    of_many: float = 3.0
    second_digit: float = 2.5
    constant: float = 6.0  # a diagonal of one number beside products of many digits
    products_agree: float = 0.2
    round_numbers: float = 6.0
    multiples: float = 9.0  # the largest entry in steps
    steps: float = 0.75  # how many the geometry may be away, which is no more exact than the part is like it
    smallest: float = 1.5  # steps that the least moment of the geometry has at most
    rounded_body: float = 0.6  # |ln λ| from which a rounded body is wrong
    rounded: float = 3.0
    rounds_to: float = 3.0  # the geometry rounds to it
    same_step: float = 1.5  # other links have multiples of the same step


class BarelyWeights(NamedTuple):
    """What rounding shows."""

    rules: frozenset[str] = frozenset({"SDI103", "SDI107"})
    of_chance: float = 2.0
    most: float = 6.0
    fine: float = 2e-3  # part of the largest moment that a half unit is, to be no chance


class ScoreWeights(NamedTuple):
    """What every result is measured by."""

    # A result against the geometry, g the least over its bodies of the largest |ln λ|: real links that are right have
    # g = 0.35 in the median, and one in ten is beyond 2.6.
    geometry: float = 2.5
    geometry_scale: float = 0.35
    near: float = 1.2  # times ln(0.1/g) below 0.1: only what is right comes so near
    near_scale: float = 0.1
    nearest: float = 0.003
    # Without geometry: gyradius over the edge of a cube of 1000 kg/m³, 0.65 in the median of 484 real links.
    gyradius: float = 1.5
    gyradius_middle: float = 0.66
    gyradius_scale: float = 0.6
    # The least over the largest second moment, below 0.006 for one real link in twenty.
    flat: float = 1.0
    flat_from: float = 5.0
    flattest: float = 2e-3  # what rounding leaves of a plate
    # The largest product over the largest moment, above 0.2 for one real link in twenty.
    skewed: float = 2.0
    skewed_from: float = 0.2
    outside_box: float = -4.0
    removes: float = 0.9  # of the |ln λ| as written, that a mistake undone leaves at most
    centre_scale: float = 0.15  # of the size, how far a centre is from that of the geometry
    box_slack: float = 1.1
    centre_outside: float = -12.0
    density: float = 1.5
    density_middle: float = 900.0
    density_scale: float = 1.6
    densest: float = 25_000.0  # beyond what any metal has
    lightest: float = 5.0
    impossible: float = 3.0  # for each e-fold beyond these
    density_most: float = 8.0  # a mass that was made up is no unit
    box_filled: float = 0.35  # part of its box that a link fills, where its volume is not known
    twin_exact: float = 6.0  # within half a per cent
    twin_near: float = 4.0  # within three
    twin_like: float = 2.0  # within ten
    shared: float = 0.03  # nearness to what is written at which a twin shares the mistake
    twin_against: float = -3.0  # beyond a factor of 3
    right: float = -3.0  # that the numbers are right as they are, though something is found
    told: float = 0.02  # of the largest moment: what undoing a mistake changes at least
    unknown: float = -11.0  # a mistake that no hypothesis knows: a quarter of those seen


class CertaintyWeights(NamedTuple):
    """What certain asks for."""

    share: float = 0.99
    decisive: float = 0.85  # the share that exact digits are trusted with at most
    slip: float = 0.95  # and a slip within what an exact mesh shows
    lightest: float = 50.0  # kg/m³
    densest: float = 20_000.0
    lightest_in_box: float = 10.0  # where only the box is known, which no link fills
    contradicted: float = 1.0986  # ln 3
    told_apart: float = 0.05  # |ln λ| within which a geometry tells one factor from another that is
    nearer: float = 3.0  # times as far
    other: float = 0.02  # part from which a mass, or a moment, is another
    alike: float = 0.1  # a twin that supports it
    interval: float = 0.15  # half the interval of a lost entry, as a part of its middle
    as_well: float = 3.0  # what a change may be behind and do as well


class SlipWeights(NamedTuple):
    """What SDI210 asks for: only exact meshes, within 5 % in every direction, and three times nearer than written."""

    near: float = 0.05
    nearer: float = 3.0
    trace: float = 0.053  # exp(0.05) - 1: what the trace is off by at most


DIGITS = DigitWeights()
ORDER = OrderWeights()
LOST = LostWeights()
LEVER = LeverWeights()
AXES = AxesWeights()
SCALE = ScaleWeights()
COPIES = CopyWeights()
EMPTY = EmptyWeights()
BARELY = BarelyWeights()
SCORE = ScoreWeights()
CERTAIN = CertaintyWeights()
SLIP = SlipWeights()
