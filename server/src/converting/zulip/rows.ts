import type * as z from 'zod/mini'
import type { ReportList } from '../../platform/moving/report-list.ts'

export function rowsOf<Form extends z.ZodMiniType>(
  table: string,
  given: readonly unknown[] | undefined,
  form: Form,
  leftOut: ReportList,
): z.output<Form>[] {
  const ids = new Set<number>()
  return (given ?? []).flatMap((row) => {
    const id = idOf(row)
    if (id !== undefined && ids.has(id)) {
      leftOut.add(`duplicate rows: the first is used (${table})`, `id ${id}`)
      return []
    }
    if (id !== undefined) ids.add(id)
    const parsed = form.safeParse(row)
    if (parsed.success) return [parsed.data]
    leftOut.add(`rows in an unknown format (${table})`, JSON.stringify(row)?.slice(0, 100))
    return []
  })
}

function idOf(row: unknown): number | undefined {
  return typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number' ? row.id : undefined
}

const MAX_SECONDS = 2 ** 32

export function secondsOf(time: number | undefined): number | undefined {
  return time !== undefined && time > 0 && time < MAX_SECONDS ? Math.floor(time) : undefined
}
