/** When the bank's own certificates end, and what it trusts others by: no third party warns of them. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Gauge } from 'prom-client';
import type { Certificate } from '../certificate/certificate.js';
import { OID } from '../certificate/der/oids.js';
import { listTrustLists } from '../certificate/lists/stored-lists.js';
import { TrustFolder } from '../certificate/trust.js';
import { nameText, valuesOf } from '../certificate/x509/name.js';
import type { TlsFiles } from '../lib/net/tls-files.js';
import type { Foundation } from './foundation.js';

type Use = 'tls' | 'console-tls' | 'core-client' | 'core-ca' | 'anchor' | 'trusted-list';

interface Ending {
  readonly use: Use;
  readonly name: string;
  readonly endsAt: number;
}

/** The first certificate in a file: the others lead to its issuer. */
const endOf = (use: Use, name: string, pem: string | Buffer): Ending => ({
  use,
  name,
  endsAt: Date.parse(new X509Certificate(pem).validTo),
});

const nameOf = ({ subject }: Certificate): string =>
  valuesOf(subject, OID.commonName)[0] ?? nameText(subject);

/** A connection of this node uses what was read at its start, whatever the file says now. */
const coreEndings = ({ coreClientCertificate, coreCa }: Foundation['config']): Ending[] => [
  ...(coreClientCertificate
    ? [endOf('core-client', basename(coreClientCertificate), readFileSync(coreClientCertificate))]
    : []),
  ...(coreCa ? [endOf('core-ca', basename(coreCa), readFileSync(coreCa))] : []),
];

export interface OwnTls {
  readonly tls: TlsFiles | undefined;
  readonly operatorTls: TlsFiles | undefined;
}

const tlsEndings = ({ tls, operatorTls }: OwnTls): Ending[] => [
  ...(tls ? [endOf('tls', tls.name, tls.certificate)] : []),
  ...(operatorTls ? [endOf('console-tls', operatorTls.name, operatorTls.certificate)] : []),
];

export const createOwnCertificateMetrics = (base: Foundation, own: OwnTls): void => {
  const { config, clock, db, metrics } = base;
  const { trustAnchors } = config;
  const core = coreEndings(config);
  const folder =
    trustAnchors === undefined ? undefined : new TrustFolder(trustAnchors, clock, () => undefined);
  const trusted = async (): Promise<Ending[]> => {
    await folder?.refresh();
    // A store that is away must not take the other figures with it.
    const lists = await listTrustLists(db).catch(() => []);
    return [
      ...(folder?.current().anchors ?? []).map(
        (each): Ending => ({ use: 'anchor', name: nameOf(each), endsAt: each.notAfter }),
      ),
      ...lists.map(
        ({ territory, nextUpdate }): Ending => ({
          use: 'trusted-list',
          name: territory,
          endsAt: nextUpdate,
        }),
      ),
    ];
  };
  new Gauge({
    name: 'trapeza_own_certificate_expires_seconds',
    help: 'Time until a certificate of the bank, an anchor or a trusted list ends; negative after that',
    labelNames: ['use', 'name'],
    registers: [metrics.registry],
    async collect() {
      const endings = [...tlsEndings(own), ...core, ...(await trusted())];
      this.reset();
      for (const { use, name, endsAt } of endings) this.set({ use, name }, (endsAt - clock.now()) / 1000);
    },
  });
};
