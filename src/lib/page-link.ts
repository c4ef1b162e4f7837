/** How long the link to a following page works: said wherever such links are described. */
import { HOUR, MINUTE } from './clock.js';

export const PAGE_LINK_MS = HOUR;

export const PAGE_LINK_MINUTES = PAGE_LINK_MS / MINUTE;
