#!/usr/bin/env node
/** The kit on its own, for whoever has no Trapeza: `npx @trapeza/conformance URL`. */
import { argv } from 'node:process';
import { Command } from 'commander';
import { registerConformance } from './cli.js';

const program = new Command('trapeza-conformance');
registerConformance(program);
await program.parseAsync([...argv.slice(0, 2), 'conformance', ...argv.slice(2)]);
