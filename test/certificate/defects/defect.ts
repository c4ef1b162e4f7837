/** A certificate with one thing spoilt, and why it must be refused. */

import type { CertificatePlan } from '../../../packages/sandbox/src/authority/build.js';
import type { Certificate } from '../../../src/certificate/certificate.js';
import type { Reason } from '../../../src/certificate/reasons.js';
import type { Verification } from '../../../src/certificate/verifier.js';
import type { World } from '../world.js';

export interface Case {
  /** The certificate and what is sent behind it; or the text itself. */
  readonly ders?: readonly Buffer[];
  readonly text?: string;
  readonly call?: Verification;
  readonly anchors?: readonly Certificate[];
}

export interface Defect {
  readonly name: string;
  readonly reason: Reason;
  readonly make: (world: World) => Case;
}

export const defect = (name: string, reason: Reason, make: (world: World) => Case): Defect => ({
  name,
  reason,
  make,
});

/** A good plan, changed in one place, then signed as usual. */
export const spoilt = (
  name: string,
  reason: Reason,
  change: (plan: CertificatePlan, world: World) => CertificatePlan,
): Defect => defect(name, reason, (world) => ({ ders: [world.build(change(world.plan(), world))] }));
