/** The client for JavaScript as a package that npm installs from this very service: it is made with the product, and no registry has it. */
import { readFileSync } from 'node:fs';
import type { PageAnswer } from '../../http/pages.js';
import { ownFile } from '../../lib/own-file.js';

/** The name of the package. */
export const CLIENT_NAME = '@trapeza/client';

export const CLIENT = '/client.tgz';

export const clientPackage = (): PageAnswer => ({
  status: 200,
  type: 'application/gzip',
  body: readFileSync(ownFile(`dist${CLIENT}`)),
});

export const installClient = (baseUrl: string): string => `npm install ${baseUrl}${CLIENT}`;
