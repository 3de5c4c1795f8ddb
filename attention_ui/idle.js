// What a component sends before the page's first run has come to its end can displace that run, and with it half the page.

function whenIdle(act) {
  const app = document.querySelector("[data-test-script-state]")
  const idle = () => !app || app.dataset.testScriptState === "notRunning"
  if (idle()) return act()
  const observer = new MutationObserver(() => {
    if (!idle()) return
    observer.disconnect()
    act()
  })
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] })
}
