/** Whose certificates are trusted, and how revocation is found out. */
import { hosts, oneOf, proxyAddress, setting, text, whole } from '../lib/setting.js';

const none: string | undefined = undefined;

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
  egressProxy: setting<string | undefined>(
    'TRAPEZA_EGRESS_PROXY',
    proxyAddress,
    none,
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
