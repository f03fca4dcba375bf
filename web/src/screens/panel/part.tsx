import type { ComponentChildren } from 'preact'

interface PartProps {
  readonly title: string
  /** Item count. */
  readonly number?: string | undefined
  /** Shown beside the title. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** A section of the panel. */
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
