/** Who is known to the sandbox: the people of its start, and those of `PUT /sandbox/people`, which any node may have served. */
import { type Db, dateAt, type Queries, readSetting } from 'trapeza/base';
import type { ExtensionBase } from 'trapeza/extend';
import { casePsus } from './bank/case-people.js';
import { type DemoPsu, demoPsus } from './bank/people.js';
import { type OwnPeople, ownPeopleOf, type People, psusOf, readOwnPeople } from './own-people.js';
import { parsed } from './people-file.js';
import { readTestPeople } from './test-people.js';

/** The setting with the JSON of the people that were put. It stays when the sandbox is reset. */
export const PUT_PEOPLE = 'put-people';

interface RosterParts {
  readonly db: Db;
  readonly always: readonly DemoPsu[];
  /** Those of the seed file, in whose place others can be put. */
  readonly ofFile: OwnPeople | undefined;
}

export class Roster {
  readonly #parts: RosterParts;
  #put: { readonly content: string; readonly own: OwnPeople } | undefined;
  #current: readonly DemoPsu[];

  constructor(parts: RosterParts) {
    this.#parts = parts;
    this.#current = this.#with(parts.ofFile);
  }

  /** As they were read last: at most some seconds ago. */
  get current(): readonly DemoPsu[] {
    return this.#current;
  }

  async read(): Promise<readonly DemoPsu[]> {
    this.#current = this.#with(await this.own(this.#parts.db));
    return this.#current;
  }

  /** Those beside the demo people, as this transaction sees them. */
  async own(queries: Queries): Promise<OwnPeople | undefined> {
    const content = await readSetting(queries, PUT_PEOPLE);
    if (content === undefined) return this.#parts.ofFile;
    if (this.#put?.content !== content)
      this.#put = { content, own: await ownPeopleOf(parsed(content) as People, content) };
    return this.#put.own;
  }

  #with(own: OwnPeople | undefined): readonly DemoPsu[] {
    return own ? [...this.#parts.always, ...psusOf(own)] : this.#parts.always;
  }
}

/** A core has the demo people at most. */
const peopleOf = ({ config, core }: ExtensionBase): readonly DemoPsu[] => {
  if (config.testPeople !== undefined) return readTestPeople(config.testPeople);
  return core ? demoPsus : [...demoPsus, ...casePsus];
};

export const openRoster = async (base: ExtensionBase): Promise<Roster> => {
  const { config, clock, db, core } = base;
  const ofFile = config.seedFile
    ? await readOwnPeople(config.seedFile, dateAt(clock.now(), config.timeZone))
    : undefined;
  return new Roster({ db, always: peopleOf(base), ofFile: core ? undefined : ofFile });
};
