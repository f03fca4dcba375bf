import { useState } from 'preact/hooks'
import type { IconName } from '../../../kernel/icons.ts'
import { t } from '../../../kernel/strings.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { keyLabel } from '../../../platform/keys/keys.ts'
import { FORMAT_KEYS, FORMATS, type FormatName } from '../formatting.ts'
import type { Composition } from '../composition.ts'

const BUTTONS: readonly { readonly name: FormatName; readonly icon: IconName }[] = [
  { name: 'bold', icon: 'bold' },
  { name: 'italic', icon: 'italic' },
  { name: 'strike', icon: 'strike' },
  { name: 'link', icon: 'link' },
  { name: 'code', icon: 'code' },
  { name: 'quote', icon: 'quote' },
  { name: 'list', icon: 'list' },
]

/** Formatting toolbar. Tab reaches one button, and arrow keys move between buttons. */
export function FormatBar({ writing }: { readonly writing: Composition }) {
  const [current, setCurrent] = useState(0)
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return
    event.preventDefault()
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = (current + (isMirrored ? -step : step) + BUTTONS.length) % BUTTONS.length
    setCurrent(next)
    event.currentTarget.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div class="format-bar" role="toolbar" aria-label={t().format.label} onKeyDown={move}>
      {BUTTONS.map(({ name, icon }, index) => {
        const key = Object.entries(FORMAT_KEYS).find(([, format]) => format === name)?.[0]
        const title = t().format[name]
        return (
          <button
            key={name}
            class="icon-button"
            type="button"
            tabIndex={index === current ? 0 : -1}
            aria-label={title}
            title={key === undefined ? title : `${title} (${keyLabel(key)})`}
            onClick={() => {
              setCurrent(index)
              writing.format(FORMATS[name])
            }}
          >
            <Icon name={icon} size={16} />
          </button>
        )
      })}
    </div>
  )
}
