#!/usr/bin/env node
/** The kit on its own, for those who have no Trapeza: `npx trapeza-conformance URL`. */
import { argv } from 'node:process';
import { runAlone } from './cli.js';

await runAlone(argv);
