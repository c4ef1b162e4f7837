/** Whose certificates are trusted, and how revocation is found out. */
import {
  hosts,
  oneOf,
  proxyAddress,
  secretSetting,
  setting,
  spacedList,
  text,
  whole,
} from '../lib/setting.js';

const none: string | undefined = undefined;

const fingerprints = (value: string): readonly string[] =>
  value.split(',').map((each) => {
    const plain = each.replace(/[:\s]/g, '').toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(plain))
      throw new Error('SHA-256 fingerprints of 64 hexadecimal digits, separated by commas');
    return plain;
  });

type Registration = 'auto' | 'approve' | 'off';

export const certificateSettings = {
  registration: setting<Registration | undefined>(
    'TRAPEZA_REGISTRATION',
    oneOf('auto', 'approve', 'off'),
    undefined,
    'Whether third parties register themselves at `POST /registration` with their qualified certificate (RFC 7591): `auto` opens the interface to them at once, `approve` after `trapeza tpp approve`, `off` leaves it to the operators.',
    'auto in the sandbox, else off',
  ),
  trustAnchors: setting<string | undefined>(
    'TRAPEZA_TRUST_ANCHORS',
    text,
    none,
    'Folder with the certificates (PEM or DER) of the providers whose QWAC and QSealC certificates are accepted; its subfolder `intermediates` may hold others that lead to them. Read again every minute.',
  ),
  trustLists: setting(
    'TRAPEZA_TRUST_LISTS',
    spacedList,
    [] as readonly string[],
    'Trusted lists of the EU (ETSI TS 119 612), files or addresses, separated by blanks: the list of the lists and the national lists whose providers are accepted. Taken anew every six hours; their granted CA/QC services for seals and websites are trust anchors.',
    'none',
  ),
  trustListSigners: setting(
    'TRAPEZA_TRUST_LIST_SIGNERS',
    fingerprints,
    [] as readonly string[],
    'SHA-256 fingerprints of the certificates that may sign the list of the lists, separated by commas, as the Official Journal of the EU has them.',
    'none',
  ),
  revocation: setting(
    'TRAPEZA_REVOCATION',
    oneOf('off', 'soft', 'hard'),
    'hard',
    'Whether the revocation of certificates is checked: `soft` accepts a certificate if no source answers, `hard` does not. Both refuse an answer that does not count.',
  ),
  revocationGraceHours: setting(
    'TRAPEZA_REVOCATION_GRACE_HOURS',
    whole(0, 720),
    24,
    'Hours that the last good answer about a certificate counts beyond its time while no source answers.',
  ),
  revocationMaxAge: setting(
    'TRAPEZA_REVOCATION_MAX_AGE',
    whole(60, 604_800),
    3600,
    'Seconds after which the source is asked again about a certificate, whatever its nextUpdate says.',
  ),
  egressProxy: secretSetting(
    'TRAPEZA_EGRESS_PROXY',
    proxyAddress,
    'Proxy for connections to the outside (notifications, OCSP, lists of revoked certificates), such as `http://proxy.bank.example:3128`. It must allow CONNECT to the ports 443 and 80. Names are still resolved and their addresses checked here.',
    'connections are made directly',
  ),
  revocationHosts: setting(
    'TRAPEZA_REVOCATION_HOSTS',
    hosts,
    [] as readonly string[],
    'Hosts that OCSP answers and revocation lists may be fetched from, separated by commas: `host` on its usual port at a public address, `host:port` wherever it is, `*` for every public host.',
    'none',
  ),
};
