import { day } from '../../../kernel/time.ts'

export function Day({ seconds }: { readonly seconds: number }) {
  return (
    <div class="day">
      <span>{day(seconds)}</span>
    </div>
  )
}
