/** Whose pages account holders see. */
import { createCatalogue } from '../../app/page-texts.js';
import { type Config, ConfigError } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import { readBrand } from '../../web/brand/read-brand.js';
import { type Finding, finding } from './finding.js';

export const checkBrand = (
  { brand, bankName }: Config,
  target: 'sandbox' | 'production' | undefined,
): Finding => {
  const { variable } = settings.brand;
  if (brand === undefined) {
    if (target === 'sandbox') return finding(variable, 'ok', "the demo bank's own");
    const shown = bankName === undefined ? '“Your bank”' : `“${bankName}”`;
    return finding(
      variable,
      'warning',
      `not set: account holders see ${shown} with a neutral drawing, and no way to reach the bank. docs/brand.md shows how to set it`,
    );
  }
  try {
    return finding(variable, 'ok', readBrand(brand, createCatalogue(), bankName).name('en'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return finding(
      variable,
      'failed',
      `${error.faults.join(' ').replaceAll(`${variable}: `, '')} Run: trapeza brand check`,
    );
  }
};
