/** Which bank this is: its name, its look and its time. */
import { setting, text, timeZone } from '../lib/setting.js';

const none: string | undefined = undefined;

export const bankSettings = {
  bankName: setting<string | undefined>(
    'TRAPEZA_BANK_NAME',
    text,
    none,
    'Name of the bank on the pages for account holders, on printed statements and on the landing page, unless its brand has one.',
  ),
  brand: setting<string | undefined>(
    'TRAPEZA_BRAND',
    text,
    none,
    "Folder with the bank's brand.json: name, logo, colours, help, telephone and legal addresses for the pages of account holders (docs/brand.md). Read at start.",
  ),
  timeZone: setting(
    'TRAPEZA_TIME_ZONE',
    timeZone,
    'Europe/Athens',
    "The bank's time zone: an expiration date lasts until the end of that day there.",
  ),
} as const;
