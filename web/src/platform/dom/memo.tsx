import { Component, type FunctionComponent } from 'preact'

/**
 * Rerenders only if a property, or a signal that it read, has changed. `memo` from `preact/compat` would add React's
 * event behavior, in which every letter fires `change`.
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
