import { keyLabel } from './keys.ts'
import './label.css'

export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span class="key-labels">
      {keys.map((key) => (
        <kbd key={key}>{keyLabel(key)}</kbd>
      ))}
    </span>
  )
}
