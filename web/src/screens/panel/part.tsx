import type { ComponentChildren } from 'preact'

interface PartProps {
  readonly title: string
  /** Stands beside the title. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of the panel. */
export function Part({ title, tools, children }: PartProps) {
  return (
    <section class="panel-part" aria-label={title}>
      <div class="panel-part-head">
        <h3>{title}</h3>
        {tools}
      </div>
      {children}
    </section>
  )
}
