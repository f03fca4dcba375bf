import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { useLayer } from '../../../platform/layers.ts'
import { placeBeside } from '../../../platform/overlay/beside.ts'
import { closePicker, openedPicker } from '../picking.ts'
import { allEmoji, recentEmoji, type Emoji } from '../state.ts'
import { EmojiSign } from './emoji.tsx'

const MAX_EMOJI = 160

/** Searches all names of an emoji, and returns each emoji once. */
function findEmoji(query: string): readonly Emoji[] {
  const words = query.trim().toLowerCase().replaceAll(' ', '_')
  const found = words === '' ? [...recentEmoji(), ...allEmoji()] : allEmoji().filter(({ name }) => name.includes(words))
  const ranked = found.toSorted((one, other) => rankEmoji(one, words) - rankEmoji(other, words))
  const shown = new Map<string, Emoji>()
  for (const emoji of ranked) {
    const key = `${emoji.type}:${emoji.code}`
    if (!shown.has(key)) shown.set(key, emoji)
  }
  return [...shown.values()].slice(0, MAX_EMOJI)
}

function rankEmoji({ name }: Emoji, words: string): number {
  if (words === '') return 0
  return name === words ? 0 : name.startsWith(words) ? 1 : 2
}

export function Picker() {
  const box = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const picker = openedPicker.value
  useLayer(picker && closePicker)
  useEffect(() => {
    const element = box.current
    if (picker === undefined || element === null) return undefined
    setQuery('')
    element.showPopover()
    placeBeside(element, picker.from)
    element.querySelector('input')?.focus()
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.contains(event.target)) closePicker()
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [picker])
  if (picker === undefined) return null
  const found = findEmoji(query)
  const choose = (emoji: Emoji): void => {
    closePicker()
    picker.choose(emoji)
  }
  return (
    <div
      ref={box}
      class="picker"
      popover="manual"
      role="dialog"
      aria-label={t().messages.react}
      onKeyDown={(event) => {
        if (event.key === 'Escape') closePicker()
        else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && found[0] !== undefined)
          choose(found[0])
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <FilterField label={t().search.emoji} value={query} onChange={setQuery} />
      {found.length === 0 && (
        <p class="note" role="status">
          {t().search.noEmoji}
        </p>
      )}
      <div class="picker-grid">
        {found.map((emoji) => (
          <button
            key={`${emoji.type}:${emoji.code}`}
            aria-label={emoji.name.replaceAll('_', ' ')}
            title={`:${emoji.name}:`}
            onClick={() => choose(emoji)}
          >
            <EmojiSign emoji={emoji} />
          </button>
        ))}
      </div>
    </div>
  )
}
