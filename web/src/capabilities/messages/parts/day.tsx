import { day } from '../../../kernel/time.ts'

/** Where the messages of a day begin. */
export function Day({ seconds }: { readonly seconds: number }) {
  return (
    <div class="day">
      <span>{day(seconds)}</span>
    </div>
  )
}
