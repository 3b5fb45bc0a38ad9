"""English verbs that advice and steps begin with, and those that errands begin with."""

from __future__ import annotations

VERBS = frozenset(
    """
    add adjust aim allow apply archive ask assign attach avoid bake balance bandage baste beat
    begin bend bleed block boil bottle brace braid break breathe brew bring brush buff build
    bundle bury buy calibrate call cancel cap carve centre centrifuge change charge check chill
    chisel choose chop clamp clean clear click clip close coat collect comb combine commit
    compare confirm connect cook cool copy cover create cross crown crush cut dab deadhead
    decant define degrease delay delete deploy descale describe detach dig dilute disable
    discard disconnect dissolve divide do double drain draw drill drink drop dry dust edit
    elevate empty enable ensure enter explain export extend feed file fill filter find finish
    fire fit flatten flip flush fold follow force freeze fry give glaze glue graft grate grease
    grind grout grow hammer hand hang harvest heat hem hide hire hoe hold hook ignore import
    incubate inhale inject insert install invert invoice iron isolate jack join keep knead kneel
    knit knock label lay leave let level lift lime limit line list listen load lock log look
    loosen lower lubricate make marinate mark mash mask massage measure melt merge mist mix
    mount move mow mulch multiply nail name negotiate note number offer oil omit open order pack
    paint park pat patch pause peel photograph pick pin pipette place plan plane plant plaster
    plug point polish postpone pot pour practice practise prefer preheat prepare press prick
    prime proof protect prune pull purl push put question quote rack raise rake rank reach read
    rebase reboot rebuild record reduce refill refuse reheat relax release relight reload
    remember remove rename repeat replace reply report repot reserve reset respond rest restart
    restore retry return reuse review reward rewrite rinse roast roll rotate rub run sand
    sanitise save saw scan schedule score scrape screw seal sear season seed select send
    separate serve set sew shake shape shift shorten show shred shut sieve sift sign simmer sit
    sketch skim skip slake sleep slice slide slot slow smoke soak solder sort sow sparge speak
    split spoon spray spread sprinkle squeeze stack stage stain stake stand staple start steam
    sterilise stick stir stitch stop store strain strap stretch strip submit summarise support
    swab swap sweep swim switch tag take tap tape tare teach tell temper test thank thaw thin
    thread throw tie tighten tile tilt tip title titrate toast toggle top torque touch trace
    train transfer translate transplant treat trim trust try tuck tug turn twist type unhook
    unplug unscrew untie update upgrade use vacuum varnish vent ventilate verify wait walk warm
    wash watch water wax wear wedge weigh weld whisk wind wipe wire withdraw wrap write zero
    """.split()  # noqa: SIM905
)
ERRANDS = frozenset(
    """
    ask book buy call cancel email finish invite invoice mail message order pay phone pick ping plan
    prepare print renew reply return review ring schedule send ship sign submit text visit
    """.split()  # noqa: SIM905
)
VERB = "|".join(sorted(VERBS))
"""All of them as the inside of a pattern's group."""
DOING = "|".join(sorted(VERBS - ERRANDS))
"""The same without errands."""
