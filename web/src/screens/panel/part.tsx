import type { ComponentChildren } from 'preact'

interface PartProps {
  readonly title: string
  readonly number?: string | undefined
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

export function Part({ title, number, tools, children }: PartProps) {
  return (
    <section class="panel-part" aria-label={title}>
      <div class="panel-part-head">
        <h3>{title}</h3>
        {number !== undefined && <span class="note">{number}</span>}
        {tools}
      </div>
      {children}
    </section>
  )
}
