/**
 * A small model checker: breadth first through every state that the steps of a model lead to. A rule that breaks is told with the
 * shortest way there; a state from which no end can be reached is told too.
 */
export interface Step<State> {
  readonly name: string;
  readonly to: State;
}

export interface Model<State> {
  readonly initial: State;
  readonly steps: (state: State) => readonly Step<State>[];
  /** Two states with the same key are the same state. */
  readonly keyOf: (state: State) => string;
  /** The names of the rules that this step has broken. */
  readonly broken: (from: State, to: State) => readonly string[];
  readonly isEnd: (state: State) => boolean;
}

export interface Explored<State> {
  readonly states: number;
  readonly steps: number;
  /** States without any step. */
  readonly quiet: readonly State[];
  /** The first broken rule, or `stuck`, and how it came about. */
  readonly fault?: { readonly rule: string; readonly way: readonly string[] };
}

interface Found<State> {
  readonly state: State;
  readonly from: number;
  readonly by: string;
}

const wayTo = <State>(found: readonly Found<State>[], last: number): string[] => {
  const way: string[] = [];
  for (let at = last; at > 0; at = found[at]?.from ?? 0) way.unshift(found[at]?.by ?? '');
  return way;
};

/** The first state from which no end can be reached: walks backwards from all ends. */
const firstStuck = (ends: readonly number[], before: readonly number[][]): number => {
  const reaches = new Uint8Array(before.length);
  const open = [...ends];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reaches[at]) continue;
    reaches[at] = 1;
    open.push(...(before[at] ?? []));
  }
  return reaches.indexOf(0);
};

/** A model that has more states than this is not small. */
const MOST = 1_000_000;

export const explore = <State>(model: Model<State>, most = MOST): Explored<State> => {
  const found: Found<State>[] = [{ state: model.initial, from: 0, by: '' }];
  const known = new Map([[model.keyOf(model.initial), 0]]);
  const before: number[][] = [[]];
  const ends: number[] = [];
  const quiet: State[] = [];
  let steps = 0;
  for (let at = 0; at < found.length; at += 1) {
    const { state } = found[at] as Found<State>;
    if (at >= most) throw new Error(`more than ${most} states, by ${wayTo(found, at).join('; ')}`);
    if (model.isEnd(state)) ends.push(at);
    const next = model.steps(state);
    if (next.length === 0) quiet.push(state);
    for (const { name, to } of next) {
      steps += 1;
      const [rule] = model.broken(state, to);
      const figures = { states: found.length, steps, quiet };
      if (rule) return { ...figures, fault: { rule, way: [...wayTo(found, at), name] } };
      const key = model.keyOf(to);
      const index = known.get(key) ?? found.length;
      if (index === found.length) {
        known.set(key, index);
        found.push({ state: to, from: at, by: name });
        before.push([]);
      }
      before[index]?.push(at);
    }
  }
  const stuck = firstStuck(ends, before);
  const figures = { states: found.length, steps, quiet };
  return stuck < 0 ? figures : { ...figures, fault: { rule: 'stuck', way: wayTo(found, stuck) } };
};
