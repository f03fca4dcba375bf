import { INTEGRATIONS } from '../contract/catalog.ts'
import type { Sample, Signer } from './sample.ts'

interface SampleFile {
  readonly SAMPLES: readonly Sample[]
  /** Present if the service signs its requests. */
  readonly sign?: Signer
}

const files = await Promise.all(
  INTEGRATIONS.map(async ({ name }) => {
    // Safe: each integration has a file with its name. The compiler does not know which file this is.
    const file = (await import(`./${name}.ts`)) as SampleFile
    return { name, ...file }
  }),
)

export const SAMPLES: readonly Sample[] = files.flatMap((file) => file.SAMPLES)

export const SIGNERS: readonly (readonly [service: string, sign: Signer])[] = files.flatMap(({ name, sign }) =>
  sign === undefined ? [] : [[name, sign] as const],
)
