/** What the command line of Trapeza finds here; the kit itself knows nothing of Trapeza. */
type Register = typeof import('./cli.js').registerConformance;

export const wing = {
  commands: {
    conformance: async (): Promise<Register> => (await import('./cli.js')).registerConformance,
  },
};
