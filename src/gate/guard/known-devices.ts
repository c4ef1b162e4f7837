/**
 * Browsers that have logged in before, by name. Such a browser carries a signed cookie and has failures of its own to spend, which no
 * stranger can. The cookie opens nothing; it only says whose failures count.
 */
import { cookieName, type PageCookie, type PageRequest } from '../../http/pages.js';
import type { Site } from '../../http/render.js';
import { DAY, SECOND } from '../../lib/clock.js';
import { newSecret } from '../../lib/id.js';
import type { Vault } from '../../lib/vault.js';

/** Who logs in. */
export type Audience = 'holder' | 'operator' | 'developer';

/** Names that one browser keeps; the oldest login is forgotten first. */
const MOST_NAMES = 8;
const KEPT_SECONDS = (180 * DAY) / SECOND;
const ID_LENGTH = 16;
const TAG_LENGTH = 22;
const ENTRY = /^([\w-]{16})\.([\w-]{22})$/;
const SEPARATOR = '~';
const TAG = 'known-device';

export interface DeviceOwner {
  readonly audience: Audience;
  /** Its hashes under every listed secret, the current one first. */
  readonly names: readonly [string, ...string[]];
}

export class KnownDevices {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The id of this browser under this name; undefined if it is a stranger. */
  find(site: Site, request: PageRequest, owner: DeviceOwner): string | undefined {
    return this.#entries(site, request, owner)
      .map((entry) => this.#idIn(entry, owner))
      .find((id) => id !== undefined);
  }

  /** After a login. */
  cookie(site: Site, request: PageRequest, owner: DeviceOwner): PageCookie {
    const id = this.find(site, request, owner) ?? newSecret().slice(0, ID_LENGTH);
    const tag = this.#tag(id, owner);
    const others = this.#entries(site, request, owner).filter(
      (entry) => this.#idIn(entry, owner) === undefined,
    );
    const value = [`${id}.${tag}`, ...others].slice(0, MOST_NAMES).join(SEPARATOR);
    return { name: nameOf(owner), value, maxAge: KEPT_SECONDS };
  }

  #entries(site: Site, { cookies }: PageRequest, owner: DeviceOwner): readonly string[] {
    const value = cookies[cookieName(site, nameOf(owner))] ?? '';
    return value.split(SEPARATOR, MOST_NAMES).filter((entry) => ENTRY.test(entry));
  }

  #idIn(entry: string, owner: DeviceOwner): string | undefined {
    const [, id = '', tag = ''] = ENTRY.exec(entry) ?? [];
    const isOwn = owner.names.some((name) =>
      this.#vault.marks(TAG, markedText(id, owner, name)).some((each) => each.slice(0, TAG_LENGTH) === tag),
    );
    return isOwn ? id : undefined;
  }

  #tag(id: string, owner: DeviceOwner): string {
    return this.#vault.mark(TAG, markedText(id, owner, owner.names[0])).slice(0, TAG_LENGTH);
  }
}

const markedText = (id: string, { audience }: DeviceOwner, name: string): string =>
  `${audience}:${name}:${id}`;

const nameOf = ({ audience }: DeviceOwner): string => `trapeza_device_${audience}`;
