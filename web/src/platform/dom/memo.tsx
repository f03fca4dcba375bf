import { Component, type FunctionComponent } from 'preact'

/** Replaces `memo` from `preact/compat`, which would make every typed letter fire `change`, as in React. */
export function memo<Props extends object>(Drawn: FunctionComponent<Props>): new () => Component<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return (
        haveDifferentValues<Readonly<Props>>(this.props, next) || haveDifferentValues<Readonly<Props>>(next, this.props)
      )
    }

    override render() {
      return <Drawn {...this.props} />
    }
  }
}

function haveDifferentValues<Props extends object>(one: Props, other: Props): boolean {
  for (const name in one) if (one[name] !== other[name]) return true
  return false
}
