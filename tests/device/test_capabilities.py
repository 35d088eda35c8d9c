#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every property of the device is seen in the capability block, and bad values are refused with words that help."""
import sys

from qtest import Machine, Writer, hw, need_build, refuse

need_build()
out = Writer()
LEVELS = ("9_1", "9_2", "9_3", "10_0", "10_1", "11_0", "11_1")
SWITCHES = {"npot": hw.D3DGPU_OPTION_NPOT, "shadow": hw.D3DGPU_OPTION_SHADOW,
            "instancing": hw.D3DGPU_OPTION_INSTANCING, "cube_ds": hw.D3DGPU_OPTION_CUBE_DS}
REFUSED = [
    # property, value, what the message must contain
    ("vram", "32M", "vram"), ("vram", "100M", "vram"), ("vram", "32G", "vram"), ("vram", "lots", "vram"),
    ("feature_level", "12_0", "feature-level"), ("feature_level", "", "feature-level"),
    ("npot", "maybe", "npot"), ("shadow", "2", "shadow"), ("max_texture", "1000", "max-texture"),
    ("max_texture", "32768", "max-texture"), ("msaa", "3", "msaa"), ("msaa", "32", "msaa"),
    ("ds_formats", "D24S8+D99", "D99"), ("heads", "0", "heads"), ("heads", "5", "heads"),
    ("warm_workers", "17", "warm-workers"), ("hang_timeout", "-1", "hang-timeout"),
    ("worker", "/nonexistent/d3dgpu-worker", "/nonexistent/d3dgpu-worker"), ("worker", "/bin/false", "/bin/false"),
    ("worker_socket", "nosuchfd", "nosuchfd"), ("colour", "red", "colour"),
]


def test_plain():
    with Machine() as machine:
        caps = machine.caps()
        out.equal(caps["magic"], hw.D3DGPU_CAPS_MAGIC, "magic")
        out.equal(caps["version"], hw.D3DGPU_VERSION, "version")
        out.equal(caps["size"], hw.struct("d3dgpu_caps").size, "size")
        out.ok(caps["luid"] != 0, "the LUID is not 0")
        out.ok(bytes(caps["engine_name"]).split(b"\0")[0], "the engine has a name")
        out.ok(caps["max_texture_2d"] >= 2048 and caps["max_render_targets"] >= 1, "limits are there")
        out.equal(caps["reserved0"] | max(caps["reserved"]), 0, "reserved words are 0")
        for name, bit in SWITCHES.items():
            out.ok(caps["options"] & bit, f"{name} is on where nothing says otherwise")
        return caps


def test_levels():
    for level in LEVELS:
        want = getattr(hw, f"D3DGPU_LEVEL_{level}")
        with Machine(feature_level=level) as machine:
            caps = machine.caps()
            out.ok(caps["feature_level"] <= want, f"feature-level={level}: not above what was asked")
            if want <= hw.D3DGPU_LEVEL_10_0:
                out.equal(caps["feature_level"], want, f"feature-level={level}: given")


def test_switches():
    for name, bit in SWITCHES.items():
        # Level 9_1 has no feature that would bring the option with it.
        with Machine(feature_level="9_3", **{name: "off"}) as machine:
            options = machine.caps()["options"]
            out.ok(not options & bit, f"{name}=off")
            others = [other for other in SWITCHES if other != name and not options & SWITCHES[other]]
            out.equal(others, [], f"{name}=off leaves the others on")
    with Machine(feature_level="9_3", npot="off") as machine:
        out.ok(machine.caps()["options"] & hw.D3DGPU_OPTION_NPOT_CONDITIONAL, "npot=off is conditional")


def test_numbers(plain):
    with Machine(max_texture="2048") as machine:
        out.equal(machine.caps()["max_texture_2d"], 2048, "max-texture=2048")
    with Machine(msaa="1") as machine:
        out.equal(machine.caps()["sample_counts"] & 0x1e, 0, "msaa=1: no multisampling")
    if plain["sample_counts"] & 4:
        with Machine(msaa="2") as machine:
            out.equal(machine.caps()["sample_counts"] & 0x1c, 0, "msaa=2: not more than 2 samples")
    else:
        out.skip("msaa=2: not more than 2 samples", "this engine has no 4 samples to take away")
    with Machine(ds_formats="D16+D24S8") as machine:
        want = 1 << hw.D3DGPU_DS_D16 - hw.D3DGPU_DS_FIRST_FORMAT | 1 << hw.D3DGPU_DS_D24S8 - hw.D3DGPU_DS_FIRST_FORMAT
        out.equal(machine.caps()["ds_formats"], want, "ds-formats=D16+D24S8")


def test_refused():
    for name, value, part in REFUSED:
        out.contains(refuse(**{name: value}), part, f"{name.replace('_', '-')}={value} is refused, by name")


plain_caps = test_plain()
test_levels()
test_switches()
test_numbers(plain_caps)
test_refused()
sys.exit(out.done())
