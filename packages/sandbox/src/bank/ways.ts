/** The ways to confirm that the demo bank has beside codes and its app. */
import type { PsuId } from 'trapeza/base';
import type { ExtensionBase } from 'trapeza/extend';
import { DemoOpenId } from './demo-openid.js';
import { DemoPasskeys } from './demo-passkeys.js';

export interface Ways {
  readonly passkeys: DemoPasskeys;
  /** Absent if another provider is configured, or in front of a core. */
  readonly openId: DemoOpenId | undefined;
}

export const openWays = (base: ExtensionBase): Ways => {
  const { db, clock, site, config, core, security } = base;
  const onRefused = (reason: string, personId: PsuId): void =>
    security.event('confirmation-refused', { reason, personId });
  return {
    passkeys: new DemoPasskeys(db, clock, { address: () => site.baseUrl, onRefused }),
    openId: core || config.loginIssuer ? undefined : new DemoOpenId({ ...base, onRefused }),
  };
};
