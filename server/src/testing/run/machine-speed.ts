/** CPU milliseconds that the fixed work takes on the reference machine, which has two cores, during a test run. */
const REFERENCE_MILLISECONDS = 3.5
const WARMING_RUNS = 10
const RECORDS = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `Record ${id}`, tags: ['a', 'b', `${id % 7}`] }))

/**
 * Measures how much longer this machine takes for fixed work, because CPU time depends on caches, clock frequencies,
 * and other processes.
 */
export class MachineSpeed {
  readonly #milliseconds: number[] = []

  constructor() {
    // The first runs are interpreted.
    for (let run = 0; run < WARMING_RUNS; run += 1) fixedWork()
  }

  sample(): void {
    const { user, system } = process.cpuUsage()
    fixedWork()
    const used = process.cpuUsage({ user, system })
    this.#milliseconds.push((used.user + used.system) / 1000)
  }

  /** Returns how many times longer this machine takes than the reference machine (median); 1 without samples. */
  slowdown(): number {
    const sorted = this.#milliseconds.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)] ?? REFERENCE_MILLISECONDS
    return median / REFERENCE_MILLISECONDS
  }
}

function fixedWork(): void {
  // Safe: the text is the serialized records.
  const copy = JSON.parse(JSON.stringify(RECORDS)) as typeof RECORDS
  copy.sort((a, b) => b.name.localeCompare(a.name) || a.id - b.id)
}
