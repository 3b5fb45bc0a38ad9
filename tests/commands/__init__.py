"""Every command from the outside: started as a program, with good and with bad input."""
