/** Who visits the portal. An extension says it: the product itself has no accounts of developers. */
import type { CertificateUse } from '../../certificate/checks.js';
import type { PageCookie, PageRequest } from '../../http/pages.js';
import type { ClientId } from '../../model/ids.js';

/** The third party whose applications a visitor may see and change. */
export interface Developer {
  readonly tppId: string;
  /** As the pages address the visitor. */
  readonly name: string;
}

/** Of a certificate that was just made; the private key is shown only then. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface DeveloperPortal {
  /** Undefined if no developer has logged in. */
  visitor(request: PageRequest): Promise<Developer | undefined>;
  /** Where a visitor without a login is sent, as it stands in a link: it may be outside of this service. */
  readonly loginHref: string;
  /** Ends the visit; the browser gets the cookies and goes to `loginHref`. Without it the pages have no button to leave. */
  leave?(request: PageRequest): Promise<readonly PageCookie[]>;
  /** Shell commands with which an application gets its first 200. */
  firstCall?(application: { readonly clientId: ClientId; readonly key: string }): string;
  /** The redirect address of an application whose developer has named none. */
  returnAddress?(clientId: ClientId): string;
  /** A certificate of a test authority, PEM. */
  issueCertificate?(clientId: ClientId, use: CertificateUse): Promise<IssuedCertificate>;
}
