/** The OpenAPI document of the sandbox: the interface and the controls. */
import { sandbox } from '../../packages/sandbox/src/sandbox.js';
import { openApiText } from '../../src/documents.js';

export const openApi: unknown = JSON.parse(openApiText(sandbox));
