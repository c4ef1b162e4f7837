/** Which bank this is: its name, its look, its time and its law. */
import { oneOf, setting, text, timeZone } from '../lib/setting.js';
import { type Regime, regimes } from '../model/regime.js';

const none: string | undefined = undefined;

export const bankSettings = {
  bankName: setting<string | undefined>(
    'TRAPEZA_BANK_NAME',
    text,
    none,
    'Name of the bank on the pages for account holders and on the landing page, unless its brand has one.',
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
  lowBalance: setting<'forbid' | 'warn'>(
    'TRAPEZA_LOW_BALANCE',
    oneOf('forbid', 'warn'),
    'forbid',
    'An account whose balance, with its credit line, does not cover a payment and its charges: `forbid` leaves it out on the approval page and says why; `warn` says so and lets the account holder choose it.',
  ),
  regime: setting<Regime>(
    'TRAPEZA_REGIME',
    oneOf(...regimes),
    'psd2',
    'The law that the bank applies: `psd2`, or `psr` once the Payment Services Regulation applies. Then the third party, not the bank, authenticates its user anew after 180 days; [what changes](consents.md#psd2-and-psr).',
  ),
} as const;
