import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useState } from 'preact/hooks'
import './tabs.css'

interface Tab {
  readonly id: string
  readonly title: string
  readonly show: () => ComponentChildren
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly first?: string | undefined
}

export function Tabs({ label, tabs, first }: TabsProps) {
  const [chosen, choose] = useState(first)
  const id = useId()
  const shown = tabs.find((tab) => tab.id === chosen) ?? tabs[0]
  useLayoutEffect(() => {
    const tab = document.getElementById(`${id}-${shown?.id ?? ''}`)
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown?.id])
  if (shown === undefined) return null
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.indexOf(shown)
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = tabs.at(step % tabs.length)
    choose(next?.id)
    document.getElementById(`${id}-${next?.id ?? ''}`)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            role="tab"
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class="form" role="tabpanel" aria-labelledby={`${id}-${shown.id}`} key={shown.id}>
        {shown.show()}
      </div>
    </>
  )
}
