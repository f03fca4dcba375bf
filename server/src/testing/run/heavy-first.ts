import { BaseSequencer, type TestSpecification } from 'vitest/node'

const HEAVY_FILES = [/^web\/testing\//, /^e2e\//, /\.generated\.test\./, /^server\/src\/commands\//, /^bench\//]

/** Sorts files so that a heavy file never runs alone at the end. */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byDurationOrSize = super.sort.bind(this)
    return (await byDurationOrSize(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const path = moduleId.slice(project.config.root.length + 1)
  const index = HEAVY_FILES.findIndex((pattern) => pattern.test(path))
  return index === -1 ? HEAVY_FILES.length : index
}
