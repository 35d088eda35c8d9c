/* SPDX-License-Identifier: MIT */
/*
 * The demonstration: what the adapter says of itself, then the same scene through Direct3D 9Ex and Direct3D 11, with frame rates and
 * pictures. It uses the public API only (and one function for statistics).
 */
#include "demo.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(FILE *to)
{
	fprintf(to, "usage: demo [--api d3d9|d3d11|all] [--frames N] [--size WIDTHxHEIGHT] [--fullscreen] [--output FOLDER]\n"
		    "  Draws the scene and writes demo_*.png to FOLDER (default: $D3DGPU_OUT, else the current one).\n");
}

static int parse(int argc, char **argv, struct demo_options *options, const char **api)
{
	static const struct option names[] = {
		{ "api", required_argument, NULL, 'a' },	{ "frames", required_argument, NULL, 'n' },
		{ "size", required_argument, NULL, 's' },	{ "fullscreen", no_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },	{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (c) {
		case 'a':
			*api = optarg;
			break;
		case 'n':
			options->frames = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 's':
			if (sscanf(optarg, "%ux%u", &options->width, &options->height) != 2)
				return -1;
			break;
		case 'f':
			options->fullscreen = true;
			break;
		case 'o':
			options->output = optarg;
			break;
		case 'h':
			usage(stdout);
			exit(0);
		default:
			return -1;
		}
	}
	if (strcmp(*api, "all") && strcmp(*api, "d3d9") && strcmp(*api, "d3d11"))
		return -1;
	return optind == argc && options->frames && options->width && options->height ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct demo_options options = { .width = 640, .height = 480, .frames = 120, .output = getenv("D3DGPU_OUT") };
	const char *api = "all";
	struct scene scene;
	int result;

	if (!options.output)
		options.output = ".";
	if (parse(argc, argv, &options, &api)) {
		usage(stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (scene_create(&scene))
		return 1;
	result = demo_report();
	if (!result && strcmp(api, "d3d11"))
		result = demo_d3d9(&options, &scene);
	if (!result && strcmp(api, "d3d9"))
		result = demo_d3d11(&options, &scene);
	scene_destroy(&scene);
	return result ? 1 : 0;
}
