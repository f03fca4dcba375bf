import type { Db } from '../../kernel/transaction.ts'
import { isUnavailable } from './unavailable.ts'

/*
 * What a process looks for every second, for all organizations, goes to the database as one statement: each statement by itself is
 * a transaction, and there would be a dozen of them on every node, whether anybody is there or not.
 */

/** Timers for the same moment fire so far apart. */
const GATHER_MILLISECONDS = 10
/** Different statements that are kept prepared. What is looked for depends on the second, and repeats. */
const MAX_NAMES = 200

/** A question that waits for the others of its moment. */
interface Question {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly resolve: (rows: never[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Asks what is asked within a moment as one statement. Each must be a single query, and its columns of types that JSON has.
 * @param reads answers
 */
export function together(reads: Db): Db {
  let waiting: Question[] = []
  const names = new Map<string, string>()
  const nameOf = (text: string): string => {
    const known = names.get(text)
    // The database keeps what has a name; what is asked without one it forgets.
    if (known !== undefined || names.size >= MAX_NAMES) return known ?? ''
    const name = `together_${names.size}`
    names.set(text, name)
    return name
  }
  const ask = async (): Promise<void> => {
    // In one order, so that the same questions are the same statement.
    const questions = waiting.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    waiting = []
    const [only] = questions
    if (only !== undefined && questions.length === 1) return askAlone(reads, only)
    const { text, values } = combined(questions)
    try {
      const [answers] = await reads.rows<Readonly<Record<string, never[]>>>(nameOf(text), text, values)
      for (const [index, { resolve }] of questions.entries()) resolve(answers?.[`a${index}`] ?? [])
    } catch (error) {
      // One of them may fail by itself, which must not keep the others from their answers.
      if (isUnavailable(error)) for (const { reject } of questions) reject(error)
      else await Promise.all(questions.map(async (question) => askAlone(reads, question)))
    }
  }
  return {
    rows: async <Row>(name: string, text: string, values: readonly unknown[]) =>
      new Promise<Row[]>((resolve, reject) => {
        waiting.push({ name, text, values, resolve, reject })
        if (waiting.length === 1) setTimeout(() => void ask(), GATHER_MILLISECONDS)
      }),
  }
}

async function askAlone(reads: Db, { name, text, values, resolve, reject }: Question): Promise<void> {
  await reads.rows<never>(name, text, values).then(resolve, reject)
}

/** One statement whose only row has the answer to each question in a column. */
function combined(questions: readonly Question[]): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = []
  const columns = questions.map((question, index) => {
    const before = values.length
    values.push(...question.values)
    const text = question.text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`)
    return `(select json_agg(q) from (${text}) q) as a${index}`
  })
  return { text: `select ${columns.join(',\n')}`, values }
}
