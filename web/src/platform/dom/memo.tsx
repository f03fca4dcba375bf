import { Component, type FunctionComponent } from 'preact'

/**
 * Draws a component again only where one of its properties is another, or a signal that it read. That of `preact/compat` would
 * bring along React's events for the whole client, in which each letter changes a field.
 */
export function memo<Props extends object>(Drawn: FunctionComponent<Props>): new () => Component<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return differs(this.props, next) || differs(next, this.props)
    }

    override render() {
      return <Drawn {...this.props} />
    }
  }
}

function differs(one: object, other: object): boolean {
  return Object.entries(one).some(([name, value]) => (other as Readonly<Record<string, unknown>>)[name] !== value)
}
