/** How commands answer, and what a package with commands exports. */
export { CommandError, jsonFormatOption, namesIn, parsedBy, print, printJson } from '../cli/output.js';
export { now } from '../cli/store.js';
export type { PreviewWish, Wing } from '../cli/wings.js';
