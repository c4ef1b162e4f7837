/** The calls of the interface as a Postman collection, packaged with the product; it speaks of the service's own address. */
import { readFileSync } from 'node:fs';
import type { PageAnswer } from '../../http/pages.js';
import type { Frame } from '../../web/frame.js';
import { WRITTEN_ADDRESS } from '../guides/guides.js';

export const COLLECTION = '/docs/trapeza.postman_collection.json';

export const collectionOf = ({ baseUrl }: Frame): PageAnswer => {
  const file = new URL('../../../docs/collections/trapeza.postman_collection.json', import.meta.url);
  return {
    status: 200,
    type: 'application/json',
    body: readFileSync(file, 'utf8').replaceAll(WRITTEN_ADDRESS, baseUrl),
    headers: { 'Content-Disposition': 'attachment; filename="trapeza.postman_collection.json"' },
  };
};
