/** Trusted lists of ETSI TS 119 612: the list of the lists, and national lists with their granted CA/QC services. */
import { DAY, type RealTime } from '../../lib/clock.js';
import { type Certificate, pemOf } from '../certificate.js';
import type { CertificateUse } from '../checks.js';
import { nameText } from '../x509/name.js';
import { descend as at, certificatesIn, parseListText, readSigned, type XmlElement } from './signed-xml.js';
import {
  type ClaimedKind,
  type ListedAuthority,
  ListRefusal,
  type Pointers,
  type TrustedList,
} from './trusted-list.js';

const ROOT = 'TrustServiceStatusList';
const CA_QC = 'http://uri.etsi.org/TrstSvc/Svctype/CA/QC';
const GRANTED = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted';
/** Six months (ETSI TS 119 612, Next update), and what time zones and long months add. */
const MAX_LIFE_MS = 190 * DAY;
const LIST_OF_LISTS = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists';
const USES: Readonly<Record<string, CertificateUse>> = {
  'http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals': 'seal',
  'http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication': 'web',
};

const textAt = (element: XmlElement | undefined, ...path: readonly string[]): string =>
  at(element, ...path)[0]?.textContent?.trim() ?? '';

/** In English if there is an English one. */
const nameAt = (element: XmlElement, ...path: readonly string[]): string => {
  const names = at(element, ...path, 'Name');
  const chosen = names.find((each) => each.getAttribute('xml:lang') === 'en') ?? names[0];
  return (chosen?.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 200);
};

const certificatesAt = (element: XmlElement | undefined, ...path: readonly string[]): Certificate[] =>
  certificatesIn(at(element, ...path, 'DigitalId', 'X509Certificate'));

const hostOf = (url: string): string[] =>
  URL.canParse(url) && /^https?:/i.test(url) ? [new URL(url).hostname] : [];

const usesOf = (information: XmlElement): CertificateUse[] => {
  const uris = at(
    information,
    'ServiceInformationExtensions',
    'Extension',
    'AdditionalServiceInformation',
    'URI',
  ).map(({ textContent }) => textContent?.trim() ?? '');
  return [...new Set(uris.flatMap((uri) => USES[uri] ?? []))];
};

const servicesOf = (provider: string, service: XmlElement): ListedAuthority[] => {
  const [information] = at(service, 'ServiceInformation');
  if (!information || textAt(information, 'ServiceTypeIdentifier') !== CA_QC) return [];
  if (textAt(information, 'ServiceStatus') !== GRANTED) return [];
  const uses = usesOf(information);
  if (uses.length === 0) return [];
  const points = at(information, 'ServiceSupplyPoints', 'ServiceSupplyPoint').map(
    ({ textContent }) => textContent?.trim() ?? '',
  );
  return certificatesAt(information, 'ServiceDigitalIdentity').map((certificate) => ({
    provider,
    name: nameAt(information, 'ServiceName') || nameText(certificate.subject),
    uses,
    fingerprint: certificate.fingerprint,
    pem: pemOf(certificate.raw),
    hosts: [...new Set([...points, ...certificate.ocspUrls, ...certificate.crlUrls].flatMap(hostOf))],
  }));
};

const pointersOf = (scheme: XmlElement | undefined): Pointers => {
  const found: Record<string, string[]> = {};
  for (const pointer of at(scheme, 'PointersToOtherTSL', 'OtherTSLPointer')) {
    const territory = at(pointer, 'AdditionalInformation', 'OtherInformation', 'SchemeTerritory')[0];
    const code = territory?.textContent?.trim() ?? '';
    const signers = certificatesAt(pointer, 'ServiceDigitalIdentities', 'ServiceDigitalIdentity');
    if (/^[A-Z]{2}$/.test(code))
      found[code] = [...(found[code] ?? []), ...signers.map(({ fingerprint }) => fingerprint)];
  }
  return found;
};

const timeOf = (text: string): number | undefined => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
};

/** Reads and verifies a list. `allowed` are the fingerprints of those who may sign it. */
export const readList = (bytes: Buffer, allowed: ReadonlySet<string>, nowMs: RealTime): TrustedList => {
  const { root, signer } = readSigned(bytes, ROOT, allowed);
  const [scheme] = at(root, 'SchemeInformation');
  const nextUpdate = timeOf(textAt(scheme, 'NextUpdate', 'dateTime'));
  const issuedAt = timeOf(textAt(scheme, 'ListIssueDateTime'));
  const sequence = Number(textAt(scheme, 'TSLSequenceNumber'));
  const territory = textAt(scheme, 'SchemeTerritory');
  if (issuedAt === undefined || !Number.isSafeInteger(sequence) || !/^[A-Z]{2}$/.test(territory))
    throw new ListRefusal('it has no number, date or territory');
  if (nextUpdate === undefined || nextUpdate < nowMs)
    throw new ListRefusal(
      `it has expired${nextUpdate === undefined ? '' : ` on ${new Date(nextUpdate).toISOString()}`}`,
    );
  if (issuedAt > nowMs + DAY) throw new ListRefusal('it was issued in the future');
  if (nextUpdate > issuedAt + MAX_LIFE_MS)
    throw new ListRefusal('it counts for more than the six months that a list may count for');
  const isListOfLists = textAt(scheme, 'TSLType') === LIST_OF_LISTS;
  const providers = isListOfLists ? [] : at(root, 'TrustServiceProviderList', 'TrustServiceProvider');
  const services = providers.flatMap((provider) =>
    at(provider, 'TSPServices', 'TSPService').flatMap((service) =>
      servicesOf(nameAt(provider, 'TSPInformation', 'TSPName'), service),
    ),
  );
  const own = [...new Map(services.map((each) => [each.fingerprint, each])).values()];
  const pointers = isListOfLists ? pointersOf(scheme) : {};
  const head = { isListOfLists, territory, sequence, issuedAt, nextUpdate, signer: signer.fingerprint };
  return { ...head, services: own, pointers };
};

export const claimedKind = (bytes: Buffer): ClaimedKind => {
  const [scheme] = at(parseListText(bytes), 'SchemeInformation');
  return {
    isListOfLists: textAt(scheme, 'TSLType') === LIST_OF_LISTS,
    territory: textAt(scheme, 'SchemeTerritory'),
  };
};
