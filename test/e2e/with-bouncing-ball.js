/**
 * Loaded into the built command line with --import: adds the method `ball`, which needs no solver
 * (test/run/bouncing-ball.js).
 */
import { registerMethod } from '../../dist/src/run/registry.js';
import { bouncingBall } from '../run/bouncing-ball.js';

registerMethod(bouncingBall);
