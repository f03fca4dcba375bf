import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failed, Waiting } from '../list/states.tsx'

/**
 * A component that is loaded when it is first shown. What was shown before stands in its place until it is there.
 * @param otherwise is shown meanwhile, and has no hooks; a row without words, unless told
 */
export function lazily<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
  otherwise: () => ComponentChildren = () => <Waiting rows={1} />,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded === undefined ? 'loading' : 'loaded')
    useEffect(() => {
      if (state !== 'loading') return
      load().then(
        (component) => {
          loaded = component
          setState('loaded')
        },
        () => setState('failed'),
      )
    }, [state])
    // Called, and not a component of its own: what both begin with, such as the head of a view, then stays, with the focus.
    if (loaded !== undefined) return loaded(props)
    return state === 'failed' ? <Failed again={() => setState('loading')} /> : otherwise()
  }
}
