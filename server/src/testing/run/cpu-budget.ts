import type { Reporter, TestModule, TestSpecification } from 'vitest/node'
import { canMeasureProcessTrees, cpuSecondsBeside } from './cpu-time.ts'
import { MachineSpeed } from './machine-speed.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Set by each-file.ts. */
    cpuSeconds?: number
  }
}

const SLOWEST_SHOWN = 20
const FILES_PER_PROGRESS_LINE = 20

/**
 * Fails the run if a file exceeds its budget. A file's time includes its worker and child processes, but not the shared
 * database. Budgets are for the reference machine and are larger on a slower or busier machine.
 */
export class CpuBudget implements Reporter {
  readonly #secondsPerFile: number
  readonly #speed = new MachineSpeed()
  #files = 0
  #finished = 0
  #failed = 0
  #started = 0

  constructor({ secondsPerFile }: { secondsPerFile: number }) {
    this.#secondsPerFile = secondsPerFile
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
    this.#started = Date.now()
  }

  onTestModuleEnd(module: TestModule): void {
    this.#finished += 1
    this.#speed.sample()
    if (!module.ok()) this.#failed += 1
    if (this.#finished % FILES_PER_PROGRESS_LINE !== 0) return
    const minutes = ((Date.now() - this.#started) / 60_000).toFixed(1)
    print(`── ${this.#finished} of ${this.#files} files, ${this.#failed} failed, ${minutes} min`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ name: module.relativeModuleId, seconds: cpuSecondsOf(module), attempts: attemptsOf(module) }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const inFiles = files.reduce((sum, { seconds }) => sum + seconds, 0)
    const shared = cpuSecondsBeside('postgres')
    print(`\n CPU time: ${inFiles.toFixed(0)} s in test files, ${shared.toFixed(0)} s in the runner and the database`)
    for (const { name, seconds } of files.slice(0, SLOWEST_SHOWN)) print(`${seconds.toFixed(1).padStart(8)} s  ${name}`)
    const slowdown = this.#speed.slowdown()
    print(` Fixed work took ${slowdown.toFixed(2)} times as long as on the reference machine.`)
    if (!canMeasureProcessTrees) return
    const budget = this.#secondsPerFile * Math.max(1, slowdown)
    for (const { name, seconds, attempts } of files) {
      if (seconds <= budget * attempts) continue
      process.stderr.write(`${name} used ${seconds.toFixed(1)} CPU-s; its budget is ${budget.toFixed(1)}.\n`)
      process.exitCode = 1
    }
  }
}

function cpuSecondsOf(module: TestModule): number {
  return module.meta().cpuSeconds ?? 0
}

/** Second attempts have their own step in CI, which lists their tests, so they do not exceed the budget as well. */
function attemptsOf(module: TestModule): number {
  const retries = [...module.children.allTests()].map((test) => test.diagnostic()?.retryCount ?? 0)
  return 1 + Math.max(0, ...retries)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
