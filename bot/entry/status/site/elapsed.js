/** A moment to measure from, by both clocks of the device. */
export const moment = () => ({ wallMs: Date.now(), steadyMs: performance.now() })

/** The longer of both: the wall clock can be set back, and the steady one stands still in sleep in some browsers. */
export const sinceMs = ({ wallMs, steadyMs }) => Math.max(Date.now() - wallMs, performance.now() - steadyMs)
