/** `npm run build`: the bundles that users run, if a source is younger than they are. `unbundled`: the modules one by one as well. */
import { argv } from 'node:process';
import { bundleAll } from './bundle.js';
import { compileAll } from './unbundled.js';

if (argv.includes('unbundled')) compileAll();
await bundleAll();
