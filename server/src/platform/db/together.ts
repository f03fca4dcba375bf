import type { Db } from '../../kernel/transaction.ts'
import { isUnavailable } from './unavailable.ts'

/* Without batching, polling would cost every node a dozen transactions per second, even without users. */

/** How long a query waits, so that queries due at about the same time can be sent together. */
const GATHER_DELAY_MILLISECONDS = 10
const MAX_NAMED_STATEMENTS = 200

interface PendingQuery {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly resolve: (rows: never[]) => void
  readonly reject: (error: unknown) => void
}

/** Runs queries in batches. The columns of each query must have types that JSON can represent. */
export function batchQueries(reads: Db): Db {
  let waiting: PendingQuery[] = []
  const names = new Map<string, string>()
  const nameOf = (text: string): string => {
    const known = names.get(text)
    // Above the limit, statements get no name, so each is parsed and planned every time.
    if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known ?? ''
    const name = `together_${names.size}`
    names.set(text, name)
    return name
  }
  const ask = async (): Promise<void> => {
    // Sorted, so that equal sets of queries give equal statements.
    const questions = waiting.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    waiting = []
    const [only] = questions
    if (only !== undefined && questions.length === 1) return runSeparately(reads, only)
    const { text, values } = combineQueries(questions)
    try {
      const [answers] = await reads.rows<Readonly<Record<string, never[]>>>(nameOf(text), text, values)
      for (const [index, { resolve }] of questions.entries()) resolve(answers?.[`a${index}`] ?? [])
    } catch (error) {
      // Runs each query alone, so that the failure of one query does not affect the other queries.
      if (isUnavailable(error)) for (const { reject } of questions) reject(error)
      else await Promise.all(questions.map(async (question) => runSeparately(reads, question)))
    }
  }
  return {
    rows: async <Row>(name: string, text: string, values: readonly unknown[]) =>
      new Promise<Row[]>((resolve, reject) => {
        waiting.push({ name, text, values, resolve, reject })
        if (waiting.length === 1) setTimeout(() => void ask(), GATHER_DELAY_MILLISECONDS)
      }),
  }
}

async function runSeparately(reads: Db, { name, text, values, resolve, reject }: PendingQuery): Promise<void> {
  await reads.rows<never>(name, text, values).then(resolve, reject)
}

function combineQueries(questions: readonly PendingQuery[]): {
  readonly text: string
  readonly values: readonly unknown[]
} {
  const values: unknown[] = []
  const columns = questions.map((question, index) => {
    const before = values.length
    values.push(...question.values)
    const text = question.text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`)
    return `(select json_agg(q) from (${text}) q) as a${index}`
  })
  return { text: `select ${columns.join(',\n')}`, values }
}
