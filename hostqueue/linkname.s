// Lets clock.go declare functions of the runtime without a body.
