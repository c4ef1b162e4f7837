/** Trusted lists of a small Europe, made and signed here; every part can be spoilt. */
import { SignedXml } from 'xml-crypto';
import { keyPem } from '../../../packages/sandbox/src/authority/authority.js';
import { certificateOf, pemOf } from '../../../src/certificate/certificate.js';
import { DAY } from '../../../src/lib/clock.js';
import { rsa, type World } from '../world.js';

export interface Signer {
  readonly der: Buffer;
  readonly key: string;
  readonly fingerprint: string;
}

/** Any certificate will do: the lists name it. */
export const newSigner = (world: World): Signer => {
  const keys = rsa(2048);
  const der = world.build(
    world.plan({ publicKey: keys.publicKey, registration: `PSDGR-BOG-${Math.random()}` }),
  );
  return { der, key: keyPem(keys.privateKey), fingerprint: certificateOf(der).fingerprint };
};

const EXT = 'http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt';
const base64 = (der: Buffer): string => der.toString('base64');

export interface Service {
  readonly name: string;
  readonly der: Buffer;
  readonly status?: string;
  readonly type?: string;
  readonly uses?: readonly string[];
}

const serviceXml = ({
  name,
  der,
  status = 'granted',
  type = 'CA/QC',
  uses = ['ForeSeals'],
}: Service): string => `
<TSPService><ServiceInformation>
<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier>
<ServiceName><Name xml:lang="en">${name}</Name></ServiceName>
<ServiceDigitalIdentity><DigitalId><X509Certificate>${base64(der)}</X509Certificate></DigitalId></ServiceDigitalIdentity>
<ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}</ServiceStatus>
<ServiceSupplyPoints><ServiceSupplyPoint>http://ocsp.${name.toLowerCase()}.example/x</ServiceSupplyPoint></ServiceSupplyPoints>
<ServiceInformationExtensions>${uses
  .map(
    (use) =>
      `<Extension Critical="true"><AdditionalServiceInformation><URI xml:lang="en">${EXT}/${use}</URI></AdditionalServiceInformation></Extension>`,
  )
  .join('')}</ServiceInformationExtensions>
</ServiceInformation></TSPService>`;

export interface ListPlan {
  readonly territory?: string;
  readonly sequence?: number;
  readonly issuedAt?: number;
  readonly nextUpdate?: number;
  readonly services?: readonly Service[];
  /** Makes it the list of the lists. */
  readonly pointers?: Readonly<Record<string, Signer>>;
}

const pointerXml = ([territory, { der }]: readonly [string, Signer]): string => `
<OtherTSLPointer><ServiceDigitalIdentities><ServiceDigitalIdentity><DigitalId><X509Certificate>${base64(der)}</X509Certificate></DigitalId></ServiceDigitalIdentity></ServiceDigitalIdentities>
<TSLLocation>https://${territory}.example/tl.xml</TSLLocation>
<AdditionalInformation><OtherInformation><SchemeTerritory>${territory}</SchemeTerritory></OtherInformation></AdditionalInformation></OtherTSLPointer>`;

export const listXml = (plan: ListPlan = {}): string => {
  const { territory = plan.pointers ? 'EU' : 'EL', sequence = 1, services = [], pointers } = plan;
  const type = pointers ? 'EUlistofthelists' : 'EUgeneric';
  const issued = new Date(plan.issuedAt ?? Date.now() - DAY).toISOString();
  const until = new Date(plan.nextUpdate ?? Date.now() + 30 * DAY).toISOString();
  return `<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" Id="list"><SchemeInformation>
<TSLSequenceNumber>${sequence}</TSLSequenceNumber><TSLType>http://uri.etsi.org/TrstSvc/TrustedList/TSLType/${type}</TSLType>
<SchemeTerritory>${territory}</SchemeTerritory>
<PointersToOtherTSL>${Object.entries(pointers ?? {})
    .map(pointerXml)
    .join('')}</PointersToOtherTSL>
<ListIssueDateTime>${issued}</ListIssueDateTime><NextUpdate><dateTime>${until}</dateTime></NextUpdate>
</SchemeInformation><TrustServiceProviderList><TrustServiceProvider>
<TSPInformation><TSPName><Name xml:lang="en">Provider SA</Name></TSPName></TSPInformation>
<TSPServices>${services.map(serviceXml).join('')}</TSPServices></TrustServiceProvider></TrustServiceProviderList></TrustServiceStatusList>`;
};

const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

export const signList = (
  xml: string,
  { key, der }: Signer,
  { hash = 'http://www.w3.org/2001/04/xmlenc#sha256', root = 'TrustServiceStatusList', below = '' } = {},
): string => {
  const signed = new SignedXml({
    privateKey: key,
    publicCert: pemOf(der),
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: C14N,
  });
  signed.addReference({
    xpath: `//*[local-name(.)='${below}']/*[local-name(.)='${root}']`.replace(`*[local-name(.)='']/`, ''),
    digestAlgorithm: hash,
    transforms: [ENVELOPED, C14N],
    ...(root === 'TrustServiceStatusList' && below === '' ? { uri: '', isEmptyUri: true } : {}),
  });
  signed.computeSignature(xml);
  return signed.getSignedXml();
};
